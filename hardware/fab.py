"""Has KiCad check the box's board and make the files that a board maker wants. Fails where KiCad finds a fault.

It runs in the system's Python, where KiCad is: /usr/bin/python3 hardware/fab.py BOARD.kicad_pcb GERBERS.zip.
"""

from __future__ import annotations

import importlib
import re
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

MADE, NO_DAY = (1980, 1, 1, 0, 0, 0), "1980-01-01T00:00:00+00:00"
ROUGH = 0.05
"""So far may a poured edge be from its curve, mm: a tenth of the points then do."""
LAYERS = {"F.Cu": "F_Cu", "B.Cu": "B_Cu", "F.Mask": "F_Mask", "B.Mask": "B_Mask", "F.Silkscreen": "F_SilkS"}
LAYERS |= {"Edge.Cuts": "Edge_Cuts"}
"""What is made, and KiCad's name for it in its Python."""


def main(board: Path, target: Path) -> int:
    """Check the board, then write the archive; 1 where KiCad finds a fault."""
    pcbnew: Any = importlib.import_module("pcbnew")
    loaded = pcbnew.LoadBoard(str(board))
    loaded.GetDesignSettings().m_MaxError = pcbnew.FromMM(ROUGH)
    pcbnew.ZONE_FILLER(loaded).Fill(loaded.Zones())
    with tempfile.TemporaryDirectory() as folder:
        faults = check(pcbnew, loaded, Path(folder))
        if not faults:
            plot(pcbnew, loaded, Path(folder))
            pack(Path(folder), target)
    print("\n".join(faults), file=sys.stderr)
    return bool(faults)


def check(pcbnew: Any, loaded: Any, folder: Path) -> list[str]:
    """KiCad's own check of distances and connections; what it finds that makes a board fail."""
    report = folder / "check.rpt"
    pcbnew.WriteDRCReport(loaded, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    told = report.read_text()
    report.unlink()
    found = re.findall(r"^\[(\w+)\]: .*\n +.*Severity: (\w+)\n(.*)\n", told, re.M)
    return [f"{kind}: {where.strip()}" for kind, severity, where in found if severity == "error"]


def plot(pcbnew: Any, loaded: Any, folder: Path) -> None:
    """The copper, mask, words and outline as Gerber files, the holes as an Excellon file."""
    control = pcbnew.PLOT_CONTROLLER(loaded)
    options = control.GetPlotOptions()
    options.SetOutputDirectory(str(folder))
    options.SetUseGerberProtelExtensions(True)
    options.SetSubtractMaskFromSilk(True)
    for name, layer in LAYERS.items():
        control.SetLayer(getattr(pcbnew, layer))
        control.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        control.PlotLayer()
    control.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(loaded)
    drill.SetOptions(False, False, pcbnew.wxPoint(0, 0), True)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(folder), True, False)


def pack(folder: Path, target: Path) -> None:
    """All files in one archive, without the times at which they were made: the same board gives the same archive."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.iterdir()):
            text = re.sub(r"(CreationDate,|\bdate )[^*\n]*", rf"\g<1>{NO_DAY}", path.read_text())
            archive.writestr(zipfile.ZipInfo(path.name, MADE), text, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
