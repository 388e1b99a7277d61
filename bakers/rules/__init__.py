"""The rules of Baker's Dozen and its variants: cards, deals, positions, moves and their text forms.

Pure Python without Django; the browser's `static/js/rules.js` does the same and is tested against it.
"""
