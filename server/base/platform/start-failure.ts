/** A failed start that the operator can correct. The message says what failed, where, and what to do. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure'
}

const reasons: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  ENOSPC: ['the disk is full', 'Free some space, or choose another DATA_DIR.'],
  EDQUOT: ['the quota of the disk is used up', 'Free some space, or choose another DATA_DIR.'],
  EACCES: ['this user may not write there', 'Give the user the right to, or choose another DATA_DIR.'],
  EPERM: ['this user may not write there', 'Give the user the right to, or choose another DATA_DIR.'],
  EROFS: ['the file system is read-only', 'Mount it for writing, or choose another DATA_DIR.'],
  ENOTDIR: ['a part of the path is no directory', 'Correct DATA_DIR.'],
  EEXIST: ['a file is in its place', 'Correct DATA_DIR.'],
}

/** Converts an error on files of the data directory to a StartFailure; returns any other error as it is. */
export function explainFileError(error: unknown, dataDir: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const known = reasons[code]
  if (known === undefined) return error
  const [reason, remedy] = known
  return new StartFailure(`The data directory ${dataDir} cannot be used: ${reason} (${code}). ${remedy}`, {
    cause: error,
  })
}
