/** An error of a system call, as Node's own. */
export class SystemError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path: string;

  constructor(code: string, syscall: string, path: string) {
    super(`${code}: ${syscall} '${path}'`);
    this.code = code;
    this.syscall = syscall;
    this.path = path;
  }
}
