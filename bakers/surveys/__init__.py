"""Surveys: what share of a variant's deals can be won, and how hard they are. This is how the site's figures are made.

`rows` decides deals, `parallel` does so in several processes, `files` keeps what was found, `summaries` counts it,
`plots` draws it, and `published` is what the pages show.
"""
