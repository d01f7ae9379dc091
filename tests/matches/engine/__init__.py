"""The engine of pazaak, rule by rule, case by case, and by laws that any match keeps."""
