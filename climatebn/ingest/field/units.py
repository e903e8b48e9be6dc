"""Units of temperature as files spell them; the values stay in the units of the file."""

SPELLINGS = {
    "K": {"k", "kelvin", "kelvins", "degk", "deg_k", "degree_kelvin", "degrees_kelvin"},
    "degC": {
        "c", "°c", "ºc", "degc", "deg_c", "deg.c", "celsius", "degree_c", "degrees_c", "degree_celsius",
        "degrees_celsius", "centigrade", "degree_centigrade", "degrees_centigrade",
    },
}  # fmt: skip


def temperature_unit(spelt: object) -> str | None:
    """ "K" or "degC", or None for anything else.

    >>> temperature_unit("Degrees Celsius")
    'degC'
    """
    plain = "_".join(str(spelt).lower().split())
    return next((unit for unit, spellings in SPELLINGS.items() if plain in spellings), None)
