/**
 * `npm run profile:name -- CPU.*.cpuprofile`: rewrites CPU profiles of a built server so that they name the functions,
 * files and lines of the sources.
 */
import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { originalPlace } from '../server/base/platform/original-stack'

interface Profile {
  /** The nodes of the profile; lines and columns count from 0. */
  readonly nodes: readonly {
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number }
  }[]
}

const sources = new Map<string, readonly string[]>()

/** Returns the name with which a function is declared; null for functions without one. */
function declaredName({ file, line, column }: { file: string; line: number; column: number }): string | null {
  const known = sources.get(file)
  // Source maps of libraries name sources that are not installed with them.
  const lines = known ?? (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
  if (known === undefined) sources.set(file, lines)
  return /^[\w$]+(?=[(<])/.exec(lines[line - 1]?.slice(column - 1) ?? '')?.[0] ?? null
}

for (const file of process.argv.slice(2)) {
  const profile = JSON.parse(await readFile(file, 'utf8')) as Profile
  for (const { callFrame } of profile.nodes) {
    const { url, lineNumber, columnNumber } = callFrame
    const place = originalPlace({ file: url, line: lineNumber + 1, column: columnNumber + 1 })
    if (place === null) continue
    callFrame.functionName = declaredName(place) ?? callFrame.functionName
    Object.assign(callFrame, { url: place.file, lineNumber: place.line - 1, columnNumber: place.column - 1 })
  }
  await writeFile(file, JSON.stringify(profile))
}
