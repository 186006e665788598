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
 * Embedded PostgreSQL writes its data directory through Emscripten, whose host file system drops fsync. This one passes it on
 * to the operating system, so that the database's own rules (WAL flushed at commit, data files at checkpoint) hold through a
 * power loss and not only through the end of the process. It needs `wal_sync_method=fsync`: Emscripten answers fdatasync by
 * itself.
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
   * PostgreSQL gives up where it cannot write or flush its WAL, and recovers at its next start from what it could. PGlite goes
   * on without it: it answers success, or never.
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
  // A directory: flushed so that the creation and renaming of files in it last.
  const descriptor = openSync(files.realPath(stream.node), 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  return 0
}
