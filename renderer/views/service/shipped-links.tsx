import { Anchor } from '@mantine/core';

/** The way to documentation and licences that came along: the desktop app has them in its Help. */
export function ShippedLinks() {
  if (window.fieldbench) return null;
  return (
    <>
      {' · '}
      <Anchor href="./docs/index.html" target="_blank" inherit underline="always">
        Documentation
      </Anchor>
      {' · '}
      <Anchor href="./licences.txt" target="_blank" inherit underline="always">
        Licences
      </Anchor>
    </>
  );
}
