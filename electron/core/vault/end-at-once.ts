/**
 * Ends this process at once at its end, though a thread hangs in a call without an answer: Node waits for such a thread at
 * its end, and a prompt that nobody closes would keep a service that was told to stop. A process cannot leave its threads
 * but by becoming another program, which takes the exit code along. So in Electron, which tells of 'exit' before it ends
 * Node (electron/lib/browser/init.ts), when windows and service are closed: Chromium's other processes end with their pipes
 * to this one. Not on Windows, whose keychain asks nobody. Returns what takes this back.
 */
export function endAtOnce(): () => void {
  if (process.execve === undefined || process.platform === 'win32') return () => {};
  const become = process.execve.bind(process);
  const leave = (code: number) => {
    // Whoever listens behind this one has its turn as well.
    const listeners = process.listeners('exit');
    for (const listener of listeners.slice(listeners.indexOf(leave) + 1)) listener.call(process, code);
    become('/bin/sh', ['sh', '-c', `exit ${code}`], {});
  };
  process.on('exit', leave);
  return () => void process.off('exit', leave);
}
