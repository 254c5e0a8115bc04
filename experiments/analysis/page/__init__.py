"""The page of a report: its template, style and script, and what fills them."""
