import { userInfo } from 'node:os';

/** Returns the name of the system's user as whom this process runs; its number where it has none. */
export function systemUser(): string {
  try {
    return userInfo().username;
  } catch (error) {
    // A container may run as a user whom no list of users has.
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}
