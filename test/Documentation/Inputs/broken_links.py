"""Lists links between the pages of the tree, and scripts that they name, which lead nowhere."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
pages = [*source.glob("*.md"), *(source / "docs").rglob("*.md"), *(source / "lib").rglob("*.md")]
broken = []
for page in sorted(pages):
    text = page.read_text()
    for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if "://" not in link and not (page.parent / link).exists():
            broken.append(f"{page.relative_to(source)}: {link}")
    if page.name != "Overview.md":  # that page is a plan as well
        for script in re.findall(r"(?<![\w./])utils/[\w./-]*\w", text):
            if not (source / script).exists():
                broken.append(f"{page.relative_to(source)}: {script}")
print(f"{len(pages)} pages, {len(broken)} broken links", *broken, sep="\n  ")
