"""Arrays without an owner inside a kernel.

Every array that one compiled function hands to another is counted, with a locked instruction each way: in a search of
many short steps that took half the time. The entry kernel drops the owner of its arrays instead; Python, which called
it, keeps them alive until it returns.
"""

from typing import Any

from numba.extending import intrinsic


def _borrowed(typing_context: Any, arrays: Any) -> Any:
    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        parts = []
        for place, kind in enumerate(arrays.types):
            array = context.make_array(kind)(context, builder, builder.extract_value(arguments[0], place))
            array.meminfo = array.meminfo.type(None)
            parts.append(array._getvalue())
        return context.make_tuple(builder, arrays, parts)

    return arrays(arrays), build


borrowed: Any = intrinsic(_borrowed)  # of a (named) tuple of arrays: the same tuple
