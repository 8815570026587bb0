"""Suites for the programs of others: tasks for evaluation harnesses, datasets; and how their answers are scored."""

from assay.bridges.export import ExportedSuite, export_suite
from assay.bridges.scores import AnswerScore, SuiteScorer, read_rows
from assay.bridges.targets import TARGETS

__all__ = ["TARGETS", "AnswerScore", "ExportedSuite", "SuiteScorer", "export_suite", "read_rows"]
