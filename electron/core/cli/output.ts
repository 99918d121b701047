/** Output of a command: its result, and messages about it. */
export interface Output {
  readonly print: (line: string) => void;
  readonly remark: (line: string) => void;
}
