; Installs Fieldbench for the user who runs it, without an administrator. Compiled by makensis with
;   -DTREE=folder -DOUTPUT=file -DVERSION=0.1.0 -DAPP_ID=… -DICON=… -DKIBIBYTES=…
; /S installs without a question, and gives up (exit code 2) where a running app cannot be stopped.
!ifdef TARGET
; For a test on a system that runs 64-bit programs alone; a 32-bit installer runs on all.
Target ${TARGET}
!endif
Unicode true
ManifestDPIAware true
RequestExecutionLevel user
SetCompressor /SOLID lzma
; What is overwritten would otherwise keep a later date.
SetDateSave off

!include MUI2.nsh
!include LogicLib.nsh
!include FileFunc.nsh
!include Win\COM.nsh
!include Win\Propkey.nsh

!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Fieldbench"
!define RUN_KEY "Software\Microsoft\Windows\CurrentVersion\Run"

Name "Fieldbench"
OutFile "${OUTPUT}"
; There is no page to choose another: what is removed later is this folder alone.
InstallDir "$LOCALAPPDATA\Programs\Fieldbench"
BrandingText "Fieldbench ${VERSION}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Fieldbench"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Installs Fieldbench"
VIAddVersionKey LegalCopyright "MIT License"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\fieldbench.exe"
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; Ends the app by asking it, as its "fieldbench stop" does: a killed service would start with a recovery. One over another data
; directory than the user's own does not hear that, and is named to the person.
!macro DefineStop un
Function ${un}StopApp
  IfFileExists "$INSTDIR\fieldbench.exe" 0 done
  ClearErrors
  ExecWait '"$INSTDIR\fieldbench.exe" stop' $0
  StrCpy $1 0
  again:
    ; Windows lets nobody write to a program that runs.
    ClearErrors
    FileOpen $2 "$INSTDIR\fieldbench.exe" a
    IfErrors busy
    FileClose $2
    Goto done
  busy:
    IntOp $1 $1 + 1
    Sleep 500
    ; A stop is over within 5 s, and Windows takes a moment to let go.
    IntCmp $1 20 ask again ask
  ask:
    StrCpy $1 0
    MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "Fieldbench runs. Quit it by its menu (File, Exit), then try again." /SD IDCANCEL IDRETRY again
    SetErrorLevel 2
    Quit
  done:
FunctionEnd
!macroend
!insertmacro DefineStop ""
!insertmacro DefineStop "un."

; Removes what an installer wrote, and no data: whoever has made the app portable (docs/running.md) has them beside it. The address
; that updates are asked of (docs/install.md) outlives an update, and goes with the program.
!macro DefineRemove un
Function ${un}RemoveProgram
  FindFirst $0 $1 "$INSTDIR\*"
  loop:
    StrCmp $1 "" done
    StrCmp $1 "." next
    StrCmp $1 ".." next
    StrCmp $1 "Data" next
    StrCmp $1 "Fieldbench Desktop" next
    StrCmp $1 "fieldbench-portable.txt" next
!if "${un}" == ""
    StrCmp $1 "fieldbench-updates.txt" next
!endif
    IfFileExists "$INSTDIR\$1\*" folder
    Delete "$INSTDIR\$1"
    Goto next
  folder:
    RMDir /r "$INSTDIR\$1"
  next:
    FindNext $0 $1
    Goto loop
  done:
  FindClose $0
  ; Only where nothing is left in it.
  RMDir "$INSTDIR"
FunctionEnd
!macroend
!insertmacro DefineRemove ""
!insertmacro DefineRemove "un."

; Gives a shortcut the id that the app's windows have, so that a pinned icon and a running window are one.
!macro SetAppId shortcut
  !insertmacro ComHlpr_CreateInProcInstance ${CLSID_ShellLink} ${IID_IShellLink} r0 ""
  ${If} $0 P<> 0
    ${IUnknown::QueryInterface} $0 '("${IID_IPersistFile}",.r1)'
    ${If} $1 P<> 0
      ${IPersistFile::Load} $1 '("${shortcut}",${STGM_READWRITE})'
      ${IUnknown::QueryInterface} $0 '("${IID_IPropertyStore}",.r2)'
      ${If} $2 P<> 0
        System::Call 'Oleaut32::SysAllocString(w "${APP_ID}") p.r3'
        System::Call '*${SYSSTRUCT_PROPERTYKEY}(${PKEY_AppUserModel_ID})p.r4'
        System::Call '*${SYSSTRUCT_PROPVARIANT}(${VT_BSTR},,p r3)p.r5'
        ${IPropertyStore::SetValue} $2 '($4,$5)'
        System::Call 'Oleaut32::SysFreeString(p r3)'
        System::Free $4
        System::Free $5
        ${IPropertyStore::Commit} $2 ""
        ${IUnknown::Release} $2 ""
        ${IPersistFile::Save} $1 '("${shortcut}",1)'
      ${EndIf}
      ${IUnknown::Release} $1 ""
    ${EndIf}
    ${IUnknown::Release} $0 ""
  ${EndIf}
!macroend

Section
  Call StopApp
  ; Nothing of the version before stays: a library that is left would be loaded.
  Call RemoveProgram
  SetOutPath "$INSTDIR"
  ; makensis takes "\" everywhere, and "/" not on Windows.
  File /r "${TREE}\*"
  WriteUninstaller "$INSTDIR\uninstall.exe"

  CreateShortcut "$SMPROGRAMS\Fieldbench.lnk" "$INSTDIR\fieldbench.exe"
  !insertmacro SetAppId "$SMPROGRAMS\Fieldbench.lnk"

  WriteRegStr HKCU "${UNINSTALL_KEY}" DisplayName "Fieldbench"
  WriteRegStr HKCU "${UNINSTALL_KEY}" DisplayVersion "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" DisplayIcon "$INSTDIR\fieldbench.exe,0"
  WriteRegStr HKCU "${UNINSTALL_KEY}" Publisher "The Fieldbench authors"
  WriteRegStr HKCU "${UNINSTALL_KEY}" InstallLocation "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" UninstallString '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" NoModify 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" NoRepair 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" EstimatedSize ${KIBIBYTES}
SectionEnd

Section Uninstall
  Call un.StopApp
  Delete "$SMPROGRAMS\Fieldbench.lnk"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  ; What had the app open at login; each data directory has an entry of its own.
  StrCpy $0 0
  next:
    EnumRegValue $1 HKCU "${RUN_KEY}" $0
    StrCmp $1 "" removed
    ReadRegStr $2 HKCU "${RUN_KEY}" $1
    ; The program's path, with a quotation mark before it or none.
    StrLen $3 "$INSTDIR\"
    StrCpy $4 $2 $3
    StrCpy $5 $2 $3 1
    StrCmp $4 "$INSTDIR\" forget
    StrCmp $5 "$INSTDIR\" forget
    IntOp $0 $0 + 1
    Goto next
  forget:
    DeleteRegValue HKCU "${RUN_KEY}" $1
    Goto next
  removed:
  Call un.RemoveProgram
SectionEnd
