"""The commands of the workbench: `assay init`, `import`, `export`, `user`, `serve`."""
