/**
 * Takes an empty certificate out of an environment: as one GitHub gives a secret that there is not, and electron-builder takes it
 * on a Mac for the name of a file and ends (its MacPackager, codeSigningInfo). An empty WIN_CSC_LINK stays, which Windows needs:
 * without it the Mac's certificate would count there.
 * @param {NodeJS.ProcessEnv} env
 */
export function forgetEmptyCertificate(env) {
  if (env.CSC_LINK === '') delete env.CSC_LINK;
}
