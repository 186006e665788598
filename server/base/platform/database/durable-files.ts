import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { buildUnavailableError } from './errors'

/** The parts of Emscripten's file system that the embedded database mounts its data directory with. */
interface HostFiles {
  readonly stream_ops: { fsync?: (stream: { readonly nfd?: number; readonly node: unknown }) => number }
  realPath(node: unknown): string
  /** Runs an operation of the host, and throws its error as Emscripten's. */
  tryFSOperation<T>(operation: () => T): T
}

type Options = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']

/**
 * A host file system for Emscripten that passes fsync on to the operating system; Emscripten's own ignores it. Embedded
 * PostgreSQL writes its data directory through it, so that commits survive a power loss and not only the end of the
 * process. It needs `wal_sync_method=fsync`, because Emscripten ignores fdatasync.
 */
export class DurableFiles extends NodeFS {
  #refusal: unknown
  #hasGivenUp = false

  override async init(pg: PGlite, options: Options): Promise<{ emscriptenOpts: Options }> {
    const { emscriptenOpts } = await super.init(pg, options)
    const passOn = ({ NODEFS }: { NODEFS: HostFiles }): void => {
      NODEFS.stream_ops.fsync = (stream) => NODEFS.tryFSOperation(() => this.#flush(NODEFS, stream))
    }
    const onAbort = (): void => {
      this.#hasGivenUp = true
    }
    const preRun = [...(emscriptenOpts.preRun ?? []), passOn as never]
    return { emscriptenOpts: { ...emscriptenOpts, preRun, onAbort: onAbort as never } }
  }

  /**
   * Refuses all work after a write or flush of the WAL has failed. PostgreSQL would end and recover at its next start;
   * PGlite goes on and reports success, or never answers.
   * @throws 503 service_unavailable
   */
  checkUsable(): void {
    if (this.#hasGivenUp)
      throw buildUnavailableError('embedded database: it has given up and must be started again', this.#refusal)
  }

  #flush(files: HostFiles, stream: Parameters<typeof flush>[1]): number {
    try {
      return flush(files, stream)
    } catch (error) {
      this.#refusal = error
      throw error
    }
  }
}

function flush(files: HostFiles, stream: { readonly nfd?: number; readonly node: unknown }): number {
  if (stream.nfd !== undefined) {
    fdatasyncSync(stream.nfd)
    return 0
  }
  // A directory is flushed so that files created or renamed in it survive.
  const descriptor = openSync(files.realPath(stream.node), 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return 0
}
