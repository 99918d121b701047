import { expect, test } from '../../app.ts';
import { appFlags, MAIN } from '../../hosts/host.ts';
import { RUN } from '../../hosts/stand-in.ts';
import { startProgram } from '../../program.ts';

/* Only on Linux can a session be had without a keychain; what starts the app is the same for all hosts. */
test.skip(
  ({ host }) => host !== 'stand-in' || process.platform !== 'linux',
  'needs a session without a keychain',
);

test('where there is no keychain the app opens all the same, asks nothing, and says where secrets are', async ({
  files,
}) => {
  const flags = appFlags(files).join(' ').replace('--vault memory ', '').split(' ');
  const command = [
    'env',
    'DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere',
    process.execPath,
    RUN,
    MAIN,
    ...flags,
  ];
  for (const reason of [
    /^this system has no keychain that answers \(.+\)$/,
    /already keeps its secrets there/,
  ]) {
    const program = startProgram(command);
    const { http_url, api_key } = await program.ready(files.readyFile);
    const response = await fetch(`${http_url}/_local/v1/status`, {
      headers: { authorization: `Bearer ${api_key}` },
    });
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    expect(data).toMatchObject({ vault: 'file', vault_warning: expect.stringContaining('vault.key') });
    expect(data['vault_reason']).toMatch(reason);
    expect(program.output()).toContain('Secrets are kept in encrypted files of the data directory');
    await program.stop();
  }
});
