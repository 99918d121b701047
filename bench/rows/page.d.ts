/*
 * What the functions that run in the page use of the DOM. Its whole library cannot be had here: its types of web crypto are
 * not those of Node, which the service is checked with.
 */

declare const location: { hash: string };
declare const document: {
  querySelector(selector: string): HTMLElement | null;
  querySelectorAll(selector: string): Iterable<HTMLElement>;
};
declare function requestAnimationFrame(callback: (time: number) => void): number;
declare function addEventListener(
  type: string,
  listener: () => void,
  options: { readonly once: boolean; readonly capture: boolean },
): void;

interface Event {
  readonly type: string;
}
declare const Event: { new (type: string, options: { readonly bubbles: boolean }): Event };

declare class MutationObserver {
  constructor(changed: () => void);
  observe(
    element: HTMLElement,
    what: { readonly subtree: boolean; readonly childList: boolean; readonly characterData: boolean },
  ): void;
  disconnect(): void;
}

interface HTMLElement {
  dispatchEvent(event: Event): boolean;
  readonly dataset: Readonly<Record<string, string | undefined>>;
  querySelector(selector: 'canvas'): HTMLCanvasElement | null;
}
interface HTMLCanvasElement extends HTMLElement {
  getContext(kind: '2d'): CanvasRenderingContext2D | null;
}
interface CanvasRenderingContext2D {
  clearRect(...area: [x: number, y: number, width: number, height: number]): void;
}
declare const HTMLInputElement: { readonly prototype: HTMLElement };
declare const CanvasRenderingContext2D: { readonly prototype: CanvasRenderingContext2D };
