import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapping } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseUrl } from '../core/parse-url'

/** A frame of a stack trace: what stands before the file, the file, its line and column, and what stands behind them. */
const FRAME = /^(\s+at (?:async )?(?:[^/\\]+ \()?)(.+\.m?js):(\d+):(\d+)(\)?)$/
/** What Next builds, and the bundle of `ROLE=api`, each below the project's folder. */
const BUILT = /[/\\](?:\.next|dist[/\\]api)[/\\]/

/** A place in a file; line and column count from 1. */
interface StackLocation {
  readonly file: string
  readonly line: number
  readonly column: number
}

const maps = new Map<string, SourceMap | null>()

/**
 * A stack trace with our source files in place of the bundler's chunks. Node could do this by itself
 * (`--enable-source-maps`), but would read every chunk's map at start and keep it, and would do it for errors that are
 * never logged; Next switches that off besides. Here a chunk's map is read when an error of it is first logged.
 */
export function originalStack(stack: string): string {
  return BUILT.test(stack) ? stack.split('\n').map(originalFrame).join('\n') : stack
}

function originalFrame(frame: string): string {
  const [, before, file = '', line, column, after] = FRAME.exec(frame) ?? []
  const place = originalPlace({ file, line: Number(line), column: Number(column) })
  return place === null ? frame : `${before}${place.file}:${place.line}:${place.column}${after}`
}

/** The source of a place in a built chunk, its path below the project's folder; null when the chunk's map has none. */
export function originalPlace({ file, line, column }: StackLocation): StackLocation | null {
  const chunk = file.startsWith('file:') ? fileURLToPath(file) : file
  const rootEnd = chunk.search(BUILT)
  const map = rootEnd < 0 ? null : sourceMapOf(chunk)
  if (map === null) return null
  const entry: Partial<SourceMapping> = map.findEntry(line - 1, column - 1)
  const { originalSource, originalLine, originalColumn } = entry
  if (originalSource === undefined || originalLine === undefined || originalColumn === undefined) return null
  // Parts of the bundler's own run time have addresses that name no file.
  const source = parseUrl(originalSource, pathToFileURL(chunk))
  if (source?.protocol !== 'file:') return null
  const relative = path.relative(chunk.slice(0, rootEnd), fileURLToPath(source))
  return { file: relative.replaceAll(path.sep, '/'), line: originalLine + 1, column: originalColumn + 1 }
}

function sourceMapOf(chunk: string): SourceMap | null {
  const known = maps.get(chunk)
  if (known !== undefined) return known
  const map = readSourceMap(`${chunk}.map`)
  maps.set(chunk, map)
  return map
}

/** Null when there is none that can be read: to log an error must not lead to another one. */
function readSourceMap(file: string): SourceMap | null {
  if (!existsSync(file)) return null
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
