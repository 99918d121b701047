/** A key as a page hears it; `keyCode` is Windows' virtual key code on every system. */
export interface PressedKey {
  readonly keyCode: number;
  readonly control: boolean;
  readonly shift: boolean;
  readonly alt: boolean;
  readonly meta: boolean;
}

/** By the names that Electron has for them (electron/shell/common/keyboard_util.cc). */
const NAMED: Readonly<Record<string, readonly [keyCode: number, isShifted?: boolean]>> = {
  // The key of "=", with Shift.
  plus: [187, true],
  '=': [187],
  '-': [189],
  numadd: [107],
  numsub: [109],
  num0: [96],
  esc: [27],
  delete: [46],
  tab: [9],
};

/** Reads what Electron reads as an accelerator (electron/shell/browser/ui/accelerator_util.cc), on Linux. Throws on what it does not. */
export function parseAccelerator(text: string): PressedKey {
  const pressed = { keyCode: 0, control: false, shift: false, alt: false, meta: false };
  for (const token of text.toLowerCase().split('+')) {
    if (['commandorcontrol', 'cmdorctrl', 'control', 'ctrl'].includes(token)) pressed.control = true;
    else if (['command', 'cmd', 'super', 'meta'].includes(token)) pressed.meta = true;
    else if (token === 'alt' || token === 'option') pressed.alt = true;
    else if (token === 'shift') pressed.shift = true;
    else {
      const [keyCode, isShifted = false] = NAMED[token] ?? [codeOf(token)];
      pressed.keyCode = keyCode;
      pressed.shift ||= isShifted;
    }
  }
  if (pressed.keyCode === 0) throw new TypeError(`Invalid accelerator: ${text}`);
  return pressed;
}

function codeOf(token: string): number {
  const f = /^f(\d{1,2})$/.exec(token)?.[1];
  if (f !== undefined) return 111 + Number(f);
  if (/^[a-z0-9]$/.test(token)) return token.toUpperCase().charCodeAt(0);
  throw new TypeError(`Invalid accelerator: ${token}`);
}

export const isSameKey = (a: PressedKey, b: PressedKey): boolean =>
  a.keyCode === b.keyCode &&
  a.control === b.control &&
  a.shift === b.shift &&
  a.alt === b.alt &&
  a.meta === b.meta;
