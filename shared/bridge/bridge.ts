import type { Envelope } from '../schema/envelope.ts';
import type { Events, Topic } from '../domain/events.ts';
import type { ArraysId, CallId, DownloadId, InputOf, OutputOf, UploadId } from '../operations/index.ts';
import type { EventFilter } from './subscriptions.ts';
import type { ArraysOf, ClientMessage, PostedMessage, ServerMessage, WindowMessage } from './wire.ts';

/** A channel to one service. */
export interface Port {
  post(message: ClientMessage): void;
  /** Adds a listener for messages of the service; returns its removal. */
  listen(listener: (message: ServerMessage) => void): () => void;
}

/** A window's channel: Electron's IPC through the preload, or the browser console's WebSocket. It leads to services elsewhere, too. */
export interface WindowPort {
  post(message: WindowMessage): void;
  /** Adds a listener for messages of any service; returns its removal. */
  listen(listener: (message: PostedMessage) => void): () => void;
}

/** Outcome of a file that a page of the desktop app gave to be saved. */
export interface SavedFile {
  /** Of the link that offered it. */
  readonly url: string;
  readonly state: 'completed' | 'cancelled' | 'interrupted';
  /** The name that the person chose; "" where none was. */
  readonly name: string;
}

/** Theme of the app; `system` is as the desktop has it. */
export type Theme = 'system' | 'light' | 'dark';

/** A file that the system gave the desktop app to open. */
export interface OpenedFile {
  /** Address relative to the page: of the whole file, or of the `range` of bytes in the request. */
  readonly url: string;
  readonly name: string;
  /** ms since 1970. */
  readonly modified: number;
}

/** The desktop app's window has more than a browser's. */
export interface DesktopPort extends WindowPort {
  /** Adds a listener for files that were saved, or were not; returns its removal. */
  listenSaved(listener: (saved: SavedFile) => void): () => void;
  /** Loads the page anew, by the address that it has by now: its own way to do so is shut, as to anywhere else. */
  reload(): void;
  /** Opens another window, at an address of the app: "#/…". */
  openWindow(address: string): void;
  /** Says which theme was chosen, for the frame of the window and its next start. */
  setTheme(theme: Theme): void;
  /**
   * Adds a listener for files that the system gives the app to open, earlier ones included; returns its removal. A page that
   * does not take them is called only where no other one does, so that somebody says so.
   */
  listenFiles(listener: (files: readonly OpenedFile[]) => void, takes: boolean): () => void;
  /** Adds a listener for Undo and Redo in the menu; returns its removal. */
  listenUndo(listener: (direction: 'undo' | 'redo') => void): () => void;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface DownloadOptions extends CallOptions {
  /**
   * Number of the window's file that the bytes go into, where the browser can fetch it (wire.ts, `WindowFileMessage`). Where it cannot,
   * they come to the page all the same.
   */
  readonly into?: number;
}

/** Bridge: the renderer's access to the service, in whichever window. */
export interface Bridge {
  /** Runs an operation. Refusals are envelopes; it rejects only when the service is gone, or as the signal's reason. */
  call<Id extends CallId>(id: Id, input: InputOf<Id>, options?: CallOptions): Promise<Envelope<OutputOf<Id>>>;
  /** Sends a file as an operation's body. `onProgress` hears the bytes that the service has taken. */
  upload<Id extends UploadId>(
    id: Id,
    input: InputOf<Id>,
    file: UploadSource,
    options?: CallOptions & { readonly onProgress?: (bytes: number) => void },
  ): Promise<Envelope<OutputOf<Id>>>;
  /** Receives an operation's data, piece by piece; the next piece comes once `onBytes` has returned. */
  download<Id extends DownloadId>(
    id: Id,
    input: InputOf<Id>,
    onBytes: (bytes: Uint8Array) => void | Promise<void>,
    options?: DownloadOptions,
  ): Promise<Envelope<OutputOf<Id>>>;
  /** Receives an operation's arrays, piece by piece; the next piece comes once `onArrays` has returned. */
  stream<Id extends ArraysId>(
    id: Id,
    input: InputOf<Id>,
    onArrays: (arrays: ArraysOf<Id>) => void | Promise<void>,
    options?: CallOptions,
  ): Promise<Envelope<OutputOf<Id>>>;
  /**
   * Subscribes to a topic, of everything or of what the filter names; returns what ends that, so that no one needs to keep
   * the listener to remove it.
   */
  subscribe<T extends Topic>(
    topic: T,
    listener: (payload: Events[T]) => void,
    filter?: EventFilter,
  ): () => void;
}

/** The part of a browser's File that an upload reads. */
export interface UploadSource {
  readonly size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}
