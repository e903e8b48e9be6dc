"""Steps of a search whose score has a compiled Gaussian form: whole slices without returning to Python."""

from climatebn.kernels.climb import FULL, begin, carry_out, climb, refresh, rise_of
from climatebn.kernels.form import GaussianForm
from climatebn.kernels.residual_rows import residual_rows, with_room
from climatebn.kernels.ring import REVERSE
from climatebn.learn.score.state import State

ROOM = 16  # parents of a node before more memory is taken


class CompiledEngine:
    """Moves a state on residual rows."""

    def __init__(self, form: GaussianForm, equivalent: bool, state: State) -> None:
        self.state, self.equivalent = state, equivalent
        self.most = len(form.a) - 1
        self.rows = residual_rows(form, min(max(ROOM, int(state.moves.indegree.max(initial=0)) + 1), self.most))

    def begin(self, first: int, last: int) -> None:
        """Ask for all gains of nodes ``first`` … ``last`` − 1."""
        state = self.state
        begin(state.network, state.moves, self.rows, state.ring, state.walk, first, last, self.equivalent)

    def advance(self, slice_end: int, max_losses: int) -> int:
        """Go on until step ``slice_end``; return the status of `climb`."""
        state = self.state
        while True:
            status: int = climb(
                state.network, state.moves, self.rows, state.ring, state.walk, max_losses, self.equivalent, slice_end
            )
            if status != FULL:
                return status
            self._make_room()

    def force(self, kind: int, x: int, y: int) -> None:
        """Make one move, whatever it gains."""
        state = self.state
        rise = rise_of(state.network, self.rows, kind, x, y)
        carry_out(state.network, state.moves, self.rows, state.ring, state.walk, kind, x, y, rise)
        for node in (y, x) if kind == REVERSE else (y,):
            refresh(state.network, state.moves, self.rows, state.ring, state.walk, node, self.equivalent)
        if self.rows.size.max() == self.rows.slots.shape[1] < self.most:
            self._make_room()

    def _make_room(self) -> None:
        self.rows = with_room(self.rows, min(2 * self.rows.slots.shape[1], self.most))
