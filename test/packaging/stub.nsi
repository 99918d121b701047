; Stands for Electron's program on Windows: a program that notes how it was started, and ends at once. Its version is what
; electron-builder looks for in Electron's. Compiled with -DOUTPUT=file.
Target amd64-unicode
Unicode true
RequestExecutionLevel user
SilentInstall silent
; electron-builder writes its own resources into it.
CRCCheck off
Name "stub"
OutFile "${OUTPUT}"
VIProductVersion 1.0.0.0
VIAddVersionKey FileVersion 1
VIAddVersionKey ProductName "Electron"
VIAddVersionKey FileDescription "Electron"
VIAddVersionKey LegalCopyright "nobody"

Section
  FileOpen $0 "$LOCALAPPDATA\started.txt" a
  FileSeek $0 0 END
  FileWrite $0 "$CMDLINE$\r$\n"
  FileClose $0
SectionEnd
