"""One set of defaults for the functions and the command line, and every option described."""

import inspect

import pytest

import climatebn as cb
from climatebn.cli.learn import command as learn_command
from climatebn.cli.propagate import command as propagate_command


@pytest.mark.parametrize(
    ("command", "functions"),
    [(learn_command, (cb.learn, cb.fit, cb.open_field, cb.to_nodes)), (propagate_command, (cb.propagate,))],
    ids=["learn", "propagate"],
)
def test_options_have_the_defaults_of_the_functions(command, functions):
    known = {}
    for function in functions:
        known |= inspect.signature(function).parameters
    shared = {option.name for option in command.params} & known.keys()
    assert {"algorithm", "criterion", "scale"} <= shared or {"threshold", "tail", "units"} <= shared
    given = command.make_context(command.name, [], resilient_parsing=True).params
    for name in shared:
        if known[name].default is not inspect.Parameter.empty:
            assert (given[name] or None) == (known[name].default or None), name  # of several, none given is ()


@pytest.mark.parametrize("algorithm", cb.algorithms())
def test_every_option_of_an_algorithm_is_described(algorithm):
    options = cb.algorithms(algorithm)
    assert options
    for name, words in options.items():
        kind, rest = words.split(" = ", 1)
        assert len(rest.split(": ", 1)[1]) > 10, name
        assert "." not in kind


def test_every_argument_of_learn_is_described():
    words = inspect.getdoc(cb.learn)
    for name in inspect.signature(cb.learn).parameters:
        assert f"\n{name} : " in words or f"\n**{name} : " in words, name
