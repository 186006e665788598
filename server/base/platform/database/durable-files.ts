import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** The parts of Emscripten's file system that the embedded database mounts its data directory with. */
interface HostFiles {
  readonly stream_ops: { fsync?: (stream: { readonly nfd?: number; readonly node: unknown }) => number }
  realPath(node: unknown): string
}

type Options = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']

/**
 * Embedded PostgreSQL writes its data directory through Emscripten, whose host file system drops fsync. This one passes
 * it on to the operating system, so that the database's own rules (WAL flushed at commit, data files at checkpoint) hold
 * through a power loss and not only through the end of the process. It needs `wal_sync_method=fsync`: Emscripten answers
 * fdatasync by itself.
 */
export class DurableFiles extends NodeFS {
  override async init(pg: PGlite, options: Options): Promise<{ emscriptenOpts: Options }> {
    const { emscriptenOpts } = await super.init(pg, options)
    const passOn = (module: { NODEFS: HostFiles }): void => {
      module.NODEFS.stream_ops.fsync = (stream) => flush(module.NODEFS, stream)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), passOn as never] } }
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
