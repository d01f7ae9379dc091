"""Words for codes, in the reader's language: labels, reasons, refusals. Engines and actions speak in codes alone."""
