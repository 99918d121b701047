// Imported first by every command, so that an old Node reads this sentence and not a syntax error further on.
const OLDEST = 20;

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  console.error(
    `Fieldbench needs Node ${OLDEST} or newer, this is ${process.version}. Install a current one from https://nodejs.org.`,
  );
  process.exit(1);
}
