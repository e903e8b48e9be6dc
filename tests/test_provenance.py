"""Where a result comes from: each step leaves one line that says when, what, with which version, from what."""

import re

import numpy as np

import climatebn as cb
from climatebn.provenance import array_hash, history_line, to_json, versions, with_history


def line_of(function):
    return rf"\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\dZ climatebn {re.escape(cb.__version__)}: {function}\(.*\) input=\S+"


def test_each_step_adds_a_line(tmp_path):
    cb.load_ncep()[:24].to_netcdf(tmp_path / "part.nc")
    field = cb.open_field(tmp_path / "part.nc")
    coarse = cb.regrid(field, cb.Grid.regular(30), method="linear")
    data = cb.to_nodes(cb.anomalies(coarse, standardize=True))
    lines = data.attrs["history"].splitlines()[-4:]
    for line, function in zip(lines, ("open_field", "regrid", "anomalies", "to_nodes"), strict=True):
        assert re.fullmatch(line_of(function), line), line
    assert "part.nc" in lines[0]
    assert "method='linear'" in lines[1]
    assert "standardize=True" in lines[2]
    mean = cb.region_mean(coarse, (-30, 30), (0, 90))
    assert re.fullmatch(line_of("region_mean"), mean.attrs["history"].splitlines()[-1])
    for result in (field, coarse, mean):
        assert result.attrs["units"] == "degC"
        assert "temperature" in result.attrs["long_name"]


def test_the_input_hash_follows_the_values():
    field = cb.load_ncep()[:12]
    other = field.copy(deep=True)
    other[0, 0, 0] += 1
    hashes = [
        re.search(r"regrid.*input=(\w+)", cb.regrid(each, cb.Grid.regular(30)).attrs["history"].splitlines()[-1])[1]
        for each in (field, field.copy(deep=True), other)
    ]
    assert hashes[0] == hashes[1] != hashes[2]
    lazy = cb.regrid(field.chunk(time=6), cb.Grid.regular(30))
    assert "input=" in lazy.attrs["history"].splitlines()[-1]  # without reading the field


def test_array_hash_sees_type_shape_and_values():
    values = np.arange(6.0)
    seen = {
        array_hash(values),
        array_hash(values.astype(np.float32)),
        array_hash(values.reshape(2, 3)),
        array_hash(values + 1),
        array_hash(values, values),
    }
    assert len(seen) == 5
    assert array_hash(values[::-1]) == array_hash(values[::-1].copy())


def test_lines_and_json():
    line = history_line("learn", {"gamma": 0.5}, input="abc", seed=None)
    assert line.endswith("learn(gamma=0.5) input=abc")
    attrs = {"history": "before", "units": "K"}
    assert with_history(attrs, "after") == {"history": "before\nafter", "units": "K"}
    assert attrs["history"] == "before"
    assert to_json({"b": np.arange(2), "a": np.float64(0.5)}) == '{"a": 0.5, "b": [0, 1]}'
    assert versions()["climatebn"] == cb.__version__
