"""Questions to discrete networks: own rows, and a peer whose probabilities are compared with ours."""

import sys

import climatebn as cb
from climatebn.bench import questions, questions_peer

ANSWERS = """
import sys, numpy as np
np.savez(sys.argv[3], reading=0.5, answers=1.5, probabilities=np.zeros(PLACES))
"""


def test_rows_of_both_programs(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    places = sum(map(len, cb.reference_network("child").levels))
    (tmp_path / "peer.py").write_text(ANSWERS.replace("PLACES", str(places)))
    monkeypatch.setattr(questions_peer, "__file__", str(tmp_path / "peer.py"))
    own, other = questions.compare(["child"], tmp_path)
    assert (own.data, own.program, own.difference) == ("child", "climatebn", None)
    assert min(own.reading, own.answers) > 0
    assert other == ("child", "pyagrum", 0.5, 1.5, 1.0)  # the last question is given a level with certainty
    assert [row.program for row in questions.compare(["child"])] == ["climatebn"]
