import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import type { DesktopPort, OpenedFile, SavedFile } from '#shared/bridge/bridge.ts';
import type { PostedMessage } from '#shared/bridge/wire.ts';
import {
  CHANNEL,
  FILES_CHANNEL,
  RELOAD_CHANNEL,
  SAVED_CHANNEL,
  THEME_CHANNEL,
  UNDO_CHANNEL,
  WINDOW_CHANNEL,
} from './shell/page/channel.ts';

/** All that the page gets of Electron: a port, and no way to name another channel. */
const port: DesktopPort = {
  post: (message) => ipcRenderer.send(CHANNEL, message),
  listen(listener) {
    // The event carries ipcRenderer itself, so it stays on this side.
    const handler = (_event: IpcRendererEvent, message: PostedMessage) => listener(message);
    ipcRenderer.on(CHANNEL, handler);
    return () => void ipcRenderer.off(CHANNEL, handler);
  },
  listenSaved(listener) {
    const handler = (_event: IpcRendererEvent, saved: SavedFile) => listener(saved);
    ipcRenderer.on(SAVED_CHANNEL, handler);
    return () => void ipcRenderer.off(SAVED_CHANNEL, handler);
  },
  reload: () => ipcRenderer.send(RELOAD_CHANNEL),
  setTheme: (theme) => ipcRenderer.send(THEME_CHANNEL, theme),
  listenFiles(listener, takes) {
    const handler = (_event: IpcRendererEvent, files: readonly OpenedFile[]) => listener(files);
    ipcRenderer.on(FILES_CHANNEL, handler);
    ipcRenderer.send(FILES_CHANNEL, takes);
    return () => void ipcRenderer.off(FILES_CHANNEL, handler);
  },
  listenUndo(listener) {
    const handler = (_event: IpcRendererEvent, direction: 'undo' | 'redo') => listener(direction);
    ipcRenderer.on(UNDO_CHANNEL, handler);
    return () => void ipcRenderer.off(UNDO_CHANNEL, handler);
  },
  openWindow: (address) => ipcRenderer.send(WINDOW_CHANNEL, address),
};

contextBridge.exposeInMainWorld('fieldbench', port);
