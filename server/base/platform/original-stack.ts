import { existsSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapping } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseUrl } from '../core/parse-url'

/** A frame of a stack trace: the text before the file, the file, its line and column, and the text after them. */
const FRAME = /^(\s+at (?:async )?(?:[^/\\]+ \()?)(.+\.m?js):(\d+):(\d+)(\)?)$/
/** The directories of Next's build and of the bundle of `ROLE=api`, below the project's folder. */
const BUILT = /[/\\](?:\.next|dist[/\\]api)[/\\]/

/** A place in a file; line and column count from 1. */
interface StackLocation {
  readonly file: string
  readonly line: number
  readonly column: number
}

const maps = new Map<string, SourceMap | null>()

/**
 * Replaces the bundler's chunks in a stack trace by source files. Node could do this itself (`--enable-source-maps`),
 * but it would read and keep every chunk's map, also for errors that are never logged, and Next switches it off. Here
 * a chunk's map is read when an error in it is first logged.
 */
export function originalStack(stack: string): string {
  return BUILT.test(stack) ? stack.split('\n').map(originalFrame).join('\n') : stack
}

function originalFrame(frame: string): string {
  const [, before, file = '', line, column, after] = FRAME.exec(frame) ?? []
  const place = originalPlace({ file, line: Number(line), column: Number(column) })
  return place === null ? frame : `${before}${place.file}:${place.line}:${place.column}${after}`
}

/** Returns the source of a place in a built chunk, relative to the project's folder; null when the map has none. */
export function originalPlace({ file, line, column }: StackLocation): StackLocation | null {
  const chunk = file.startsWith('file:') ? fileURLToPath(file) : file
  const rootEnd = chunk.search(BUILT)
  const map = rootEnd < 0 ? null : sourceMapOf(chunk)
  if (map === null) return null
  const entry: Partial<SourceMapping> = map.findEntry(line - 1, column - 1)
  const { originalSource, originalLine, originalColumn } = entry
  if (originalSource === undefined || originalLine === undefined || originalColumn === undefined) return null
  // Parts of the bundler's runtime have addresses that are no file.
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

/** Reads a source map; returns null when it cannot be read, since logging an error must not cause another one. */
function readSourceMap(file: string): SourceMap | null {
  if (!existsSync(file)) return null
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}
