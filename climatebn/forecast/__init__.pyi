from .eof_analysis import Eofs, eofs
from .hindcast_result import Hindcast
from .hindcasting import hindcast
from .inverse_model import LinearInverse, linear_inverse
from .looking_ahead import outlook
from .nested_choice import choose_forecast
from .paired_differences import block_rows, differences
from .scores import correlation, crps, exceedance, reliability, rmse

__all__ = [
    "Eofs",
    "Hindcast",
    "LinearInverse",
    "block_rows",
    "choose_forecast",
    "correlation",
    "crps",
    "differences",
    "eofs",
    "exceedance",
    "hindcast",
    "linear_inverse",
    "outlook",
    "reliability",
    "rmse",
]
