/** Whether a text may be a receipt: 1 to 255 visible ASCII characters. */
export function isReceipt(text: string): boolean {
  return /^[!-~]{1,255}$/.test(text);
}
