"""The explorer: one HTML file in which a click sets evidence and the map answers, exactly.

`explore` writes it; `content` says what the page knows; `packing` makes numbers small; `page/` is the page itself:
plain SVG and JavaScript, because cells are then elements with names that keyboards and screen readers reach.
"""
