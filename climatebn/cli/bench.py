"""`climatebn bench`: speed beside other packages, and what the numbers are worth; one subcommand a comparison."""

import click

from climatebn.cli.bench_discrete import command as discrete
from climatebn.cli.bench_engine import command as engine
from climatebn.cli.bench_ges import command as ges
from climatebn.cli.bench_lagged import command as lagged
from climatebn.cli.bench_questions import command as questions
from climatebn.cli.bench_search import command as search
from climatebn.cli.bench_trust import command as trust


@click.group(commands=[discrete, engine, ges, lagged, questions, search, trust])
def command() -> None:
    """Measure speed and quality beside other packages, on this machine.

    The others run in an environment of their own, made on request (--peers DIR --install).
    """
