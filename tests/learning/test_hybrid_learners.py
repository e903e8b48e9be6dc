"""Restrict, then maximise: what passes between the phases, and what is refused."""

import pytest
from references import frame

import climatebn as cb
from climatebn.errors import ClimateBNError
from climatebn.learning.api import to_stats

HYBRIDS = {"mmhc": "mmpc", "h2pc": "hpc", "rsmax2": "si_hiton_pc"}


@pytest.fixture(scope="module")
def tropics():
    return to_stats(frame("ncep72"))


def learn(stats, algorithm, **options):
    return cb.learn(stats, algorithm, options.pop("criterion", cb.BIC(1)), progress=False, **options)


@pytest.mark.parametrize("algorithm", HYBRIDS)
def test_the_network_stays_within_the_skeleton(tropics, algorithm):
    result = learn(tropics, algorithm)
    skeleton = learn(tropics, HYBRIDS[algorithm])
    assert set(result.dag.skeleton) <= set(skeleton.graph.skeleton)
    assert result.phase_calls["restrict"] == skeleton.calls
    assert result.calls == sum(result.phase_calls.values())
    assert set(result.phase_calls) == {"restrict", "maximise"}
    assert result.valid
    assert len(result.trace) >= len(result.dag.arcs)


def test_any_restriction_with_any_search(tropics):
    result = learn(tropics, "rsmax2", restrict="pc_stable", maximise="tabu", restrict_options={"max_condset": 2})
    skeleton = learn(tropics, "pc_stable", max_condset=2, orient=False)
    assert set(result.dag.skeleton) <= set(skeleton.graph.skeleton)
    assert result.phase_calls["restrict"] == skeleton.calls
    assert result.notes == ("restrict: conditioning sets were kept to at most 2 nodes",)


def test_another_test_for_the_restriction(tropics):
    result = learn(tropics, "mmhc", test=cb.StudentT(0.05))
    assert result.phase_calls["restrict"] == learn(tropics, "mmpc", criterion=cb.StudentT(0.05)).calls


def test_knowledge_holds_in_both_phases(tropics):
    free = learn(tropics, "mmhc")
    first, second = free.dag.arcs[:2]
    knowledge = cb.Knowledge(required=[first[::-1]], forbidden=[second, second[::-1]], max_parents=2)
    bound = learn(tropics, "mmhc", knowledge=knowledge)
    assert first[::-1] in bound.dag.arcs
    assert tuple(sorted(second, key=tropics.names.index)) not in bound.dag.skeleton
    assert max(len(parents) for parents in bound.dag.numbered_parents) <= 2


def test_options_of_the_phases(tropics):
    short = learn(tropics, "h2pc", maximise_options={"max_iter": 3})
    assert len(short.dag.arcs) == 3


def test_time_limit(tropics):
    result = learn(tropics, "h2pc", max_seconds=0)
    assert result.notes[0].startswith("restrict: ")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"restrict": "tabu"}, "restrict must be a constraint-based algorithm; tabu is score-based"),
        ({"maximise": "mmpc"}, "maximise must be a score search that takes candidates; mmpc does not"),
        ({"restrict": "si_hiton"}, "did you mean 'si_hiton_pc'"),
    ],
)
def test_phases_that_do_not_fit_are_refused(tropics, options, message):
    with pytest.raises(ClimateBNError, match=message):
        learn(tropics, "rsmax2", **options)
