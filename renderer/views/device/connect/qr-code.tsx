import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Source } from '#shared/domain/sources.ts';
import { encode } from 'uqr';
import type { DeviceLogin } from '../../../components/facts/snippets/reading.ts';
import { SOURCE_DOORS } from '../../../components/facts/snippets/source-doors.ts';
import { status } from '../../../stores/service.ts';
import classes from './connect-panel.module.css';

interface QrCodeProps {
  readonly source: Source;
  readonly login: DeviceLogin;
  readonly name: string;
}

/** Squares that stay light around the code, so that a camera finds it. */
const QUIET = 4;

/** QR code for a phone or a provisioning app: address and credentials as JSON, the token included. */
export function QrCode({ source, login, name }: QrCodeProps) {
  const { value } = status.useValue('service');
  const url = value ? SOURCE_DOORS[source].urlForDevices(value) : null;
  const code = useMemo(() => (url === null ? null : drawn(JSON.stringify({ url, ...login }))), [url, login]);
  if (code === null || url === null) return <Text size="sm">No door is open that it could name.</Text>;
  const size = code.size + 2 * QUIET;
  return (
    <div>
      <svg
        className={classes['qr']}
        role="img"
        aria-label={`QR code with the address, id and token of ${name}`}
        viewBox={`${-QUIET} ${-QUIET} ${size} ${size}`}
        shapeRendering="crispEdges"
      >
        <rect x={-QUIET} y={-QUIET} width={size} height={size} fill="#fff" />
        <path d={code.path} fill="#000" />
      </svg>
      <Text size="xs" c="dimmed" mt={4}>
        Holds <span className="mono">url</span>, <span className="mono">device_id</span> and{' '}
        <span className="mono">device_token</span> as JSON. Whoever photographs it can store data as this
        device.
      </Text>
    </div>
  );
}

/** A square of one for each dark place. */
function drawn(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  let path = '';
  for (const [y, row] of data.entries())
    for (const [x, isDark] of row.entries()) if (isDark) path += `M${x} ${y}h1v1h-1z`;
  return { size, path };
}
