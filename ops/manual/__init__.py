"""The manual: a page of Markdown for each kind of reader, and what finds it.

`topics` lists the pages and reads one; `examples` has files that an integrator copies.
"""
