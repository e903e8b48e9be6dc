"""Real calls: graphs, criteria and learning."""

import inspect

import numpy as np
from made_objects import Made
from real_call import Call, call

import climatebn as cb
from climatebn.learning.registry import find


def calls(made: Made) -> list[Call]:
    return [*_graphs(made), *_criteria(made), *_learning(made)]


def _graphs(made: Made) -> list[Call]:
    dag, pdag = made.dag, made.pdag
    return [
        call(cb.Dag, names=("a", "b"), numbered_arcs=np.array([[0, 1]])),
        call(cb.Dag.from_arcs, names=["a", "b", "c"], arcs=[("a", "b"), ("b", "c")]),
        call(cb.Dag.from_string, model="[a][b|a][c|a:b]"),
        call(dag.to_string),
        call(dag.parents, name="c"),
        call(dag.children, name="a"),
        call(cb.Pdag, names=("a", "b", "c"), numbered_arcs=[[0, 1]], numbered_undirected=[[1, 2]]),
        call(cb.Pdag.from_edges, names=["a", "b", "c"], directed=[("a", "b")], undirected=[("b", "c")]),
        call(cb.Pdag.from_dag, dag=dag),
        call(cb.cpdag, dag=dag, first=(0,)),
        call(cb.shd, a=dag, b=pdag),
        call(cb.graph.colliders, graph=dag),
        call(cb.graph.adjacent_arc_pairs, graph=pdag),
        call(cb.graph.extension, pdag=pdag),
        call(cb.graph.d_separated, dag=dag, x="a", y="d", given=["c"]),
        call(cb.d_separated, network=dag, a="a", b="d", given=["c"]),
        call(cb.d_separated, network=made.network, a="X1", b=(0.0, 90.0), given=["X3", (5.0, 10.0)]),
    ]


def _criteria(made: Made) -> list[Call]:
    stats, discrete = made.stats, made.discrete_stats
    found = [
        call(cb.BIC, gamma=0.5, variance="ml", weight=1.0),
        call(cb.AIC, variance="unbiased"),
        call(cb.LogLik, variance="ml"),
        call(cb.BGe),
        call(cb.BDeu, iss=1.0, prior="vsp"),
        call(cb.G2, alpha=0.05),
        call(cb.FisherZ, alpha=0.05),
        call(cb.StudentT, alpha=0.05),
        call(cb.ChiSquare, alpha=0.05),
        call(cb.DSeparation, dag=made.dag),
        call(cb.criteria),
        call(cb.criterion.find, name="BIC"),
        call(cb.GaussianStats, n=60, cov=stats.cov, names=list("abcde"), distinct=50),
        call(cb.GaussianStats.of, values=made.array, names=list("abcde")),
        call(stats.permuted, order=np.array([4, 3, 2, 1, 0])),
        call(stats.balanced),
        call(cb.DiscreteStats, codes=discrete.codes, levels=[3] * 5, names=list("abcde")),
        call(discrete.permuted, order=np.array([4, 3, 2, 1, 0])),
    ]
    for score, own in [
        (cb.BIC(1.0), stats),
        (cb.AIC(), discrete),
        (cb.LogLik(), stats),
        (cb.BGe(), stats),
        (cb.BDeu(), discrete),
    ]:
        found.append(call(score.local, stats=own, node=1, parents=[0, 2]))
        if hasattr(score, "gains"):
            found.append(call(score.gains, stats=own, node=1, parents=[0], candidates=[2, 3]))
        if hasattr(score, "penalty"):
            found.append(call(score.penalty, stats=own))
        if own is stats:
            found.append(call(score.form, stats=own))
        if hasattr(score, "discrete_settings"):
            found.append(call(score.discrete_settings, stats=discrete))
    tests = [
        (cb.G2(), stats),
        (cb.G2(), discrete),
        (cb.FisherZ(), stats),
        (cb.StudentT(), stats),
        (cb.ChiSquare(), discrete),
        (cb.DSeparation(made.dag), stats),
    ]
    for test, own in tests:
        for name in ("evidence", "dependent", "log_p"):
            found.append(call(getattr(test, name), stats=own, x=0, y=1, given=[2]))
        for name in ("form", "discrete_form"):
            if hasattr(test, name) and (name == "form") == (own is stats):
                found.append(call(getattr(test, name), stats=own))
        if hasattr(test, "evidences"):
            found.append(call(test.evidences, stats=own, x=0, ys=[1, 2], given=[3]))
    return found


def _learning(made: Made) -> list[Call]:
    known = cb.Knowledge(required=[("X3", "X4")], forbidden=[("X7", "X8")], max_parents=3)
    numbered = cb.Knowledge([("a", "b")], tiers=[["a"], ["b", "c"]]).numbered(["a", "b", "c", "d"])
    found = [
        call(
            cb.learn,
            data=made.few,
            algorithm="tabu",
            criterion=cb.BIC(gamma=1),
            knowledge=known,
            seed=1,
            progress=False,
        ),
        call(cb.learn, data=made.few, algorithm="mmhc", criterion="BIC", test=cb.FisherZ(), order=3, progress=False),
        call(cb.learn, data=made.few, algorithm="hill_climbing", criterion=cb.BGe(), lags=(0, 1), progress=False),
        call(cb.learn, data=made.few, algorithm="hill_climbing", then=["tabu"], restarts=1, seed=1, progress=False),
        call(cb.learn, data=made.array, algorithm="pc_stable", criterion=cb.FisherZ(0.05), threads=1, progress=False),
        call(cb.learn, data=made.frame, algorithm="ges", order=[4, 3, 2, 1, 0], max_seconds=5, progress=False),
        call(cb.learn, data=made.categories, algorithm="hill_climbing", criterion=cb.BDeu(), progress=False),
        call(cb.learn, data=made.discrete_stats, algorithm="grow_shrink", criterion=cb.G2(), progress=False),
        call(cb.learn, data=made.stats, algorithm="annealing", criterion=cb.BIC, seed=3, progress=False),
        call(cb.algorithms, name="tabu"),
        call(cb.Knowledge, required=[("a", "b")], forbidden=[("b", "c")], max_parents=2, tiers=[["a"], ["b"]]),
        call(known.numbered, names=["X3", "X4", "X7", "X8"], nodes=None),
        call(numbered.directions, edges=[(0, 1)]),
        call(numbered.barred, source=2, target=0),
        call(numbered.barred_table, size=4),
        call(made.result.uninterrupted),
        call(made.result.to_networkx),
        call(cb.LearnResult.load, path=made.files / "result.json"),
    ]
    for name in cb.algorithms():
        options = {
            key: one.default
            for key, one in inspect.signature(find(name)[1]).parameters.items()
            if one.kind is one.KEYWORD_ONLY
        }
        if name in ("annealing", "best"):
            options |= {"sweeps": 20} if name == "annealing" else {"patience": 2}
        found.append(call(cb.learn, data=made.few, algorithm=name, progress=False, **options))
    return found
