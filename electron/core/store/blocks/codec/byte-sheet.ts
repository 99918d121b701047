/** Bytes that are written at their end, in a buffer that grows and is used again and again. */
export class Sheet {
  bytes: Buffer<ArrayBuffer>;
  view: DataView;
  length = 0;

  constructor(capacity: number) {
    this.bytes = Buffer.allocUnsafeSlow(capacity);
    this.view = viewOf(this.bytes);
  }

  /** Makes room for so many bytes more. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
    this.view = viewOf(grown);
  }

  /** Writes a text as UTF-8; what has none becomes U+FFFD. */
  text(text: string): void {
    this.reserve(text.length * 3);
    this.length += this.bytes.write(text, this.length, 'utf8');
  }

  character(code: number): void {
    this.reserve(1);
    this.view.setUint8(this.length++, code);
  }

  /** A copy of what was written, in a buffer of its own; the next text begins. */
  take(): Buffer<ArrayBuffer> {
    const taken = Buffer.allocUnsafeSlow(this.length);
    this.bytes.copy(taken, 0, 0, this.length);
    this.length = 0;
    return taken;
  }
}

function viewOf(bytes: Buffer<ArrayBuffer>): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
