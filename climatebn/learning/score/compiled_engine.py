"""Steps of a search whose score has a compiled Gaussian form: whole slices without returning to Python."""

from climatebn.kernels.dag_search.climb import FULL, climb
from climatebn.kernels.dag_search.moves import NOW
from climatebn.kernels.dag_search.state import State
from climatebn.kernels.dag_search.walk import SWEPT
from climatebn.kernels.gaussian.form import GaussianForm
from climatebn.kernels.gaussian.residual_rows import residual_rows, with_room

ROOM = 16  # parents of a node before more memory is taken


class CompiledEngine:
    """Moves a state on residual rows."""

    def __init__(self, form: GaussianForm, equivalent: bool, state: State) -> None:
        self.state, self.equivalent = state, equivalent
        form = form._replace(a=form.a / state.unit, b=form.b / state.unit, c=form.c / state.unit)
        self.most = len(form.a) - 1
        widest = int(state.moves.parents[NOW].max(initial=0))
        self.rows = residual_rows(form, min(max(ROOM, widest + 1), self.most))

    def sweep(self, nodes: int) -> None:
        """Ask for the gains of the next ``nodes`` nodes of the start network."""
        self._run(int(self.state.walk.tally[SWEPT]) + nodes, 0, 0)

    def advance(self, slice_end: int, max_losses: int) -> int:
        """Go on until step ``slice_end``; return the status of `climb`."""
        while (status := self._run(0, slice_end, max_losses)) == FULL:
            self._make_room()
        return status

    def _run(self, sweep_end: int, slice_end: int, max_losses: int) -> int:
        state = self.state
        status: int = climb(
            *(state.network, state.moves, self.rows, state.tabu_list, state.walk),
            *(max_losses, self.equivalent, sweep_end, slice_end),
        )
        return status

    def _make_room(self) -> None:
        self.rows = with_room(self.rows, min(2 * self.rows.slots.shape[1], self.most))
