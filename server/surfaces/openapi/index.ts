import { type AnyOperation, operation } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { Platform } from '../../base/core/platform'
import { readDocsAssetEndpoint, readDocsEndpoint, readOpenApiEndpoint } from './contract'
import { buildDocument } from './document'
import { readDocs, readDocsAsset } from './read-docs'

const documents = new WeakMap<Platform, ReturnType<typeof buildDocument>>()

/** Returns the operations that describe the API; `operations` returns all that are served. */
export function descriptionOperations(operations: () => readonly AnyOperation[]) {
  const openApi = operation(readOpenApiEndpoint, async ({ platform }) => {
    const document = documents.get(platform) ?? buildDocument(operations(), platform)
    documents.set(platform, document)
    return Reply.json(document, { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' })
  })
  return {
    openApi,
    docs: operation(readDocsEndpoint, readDocs),
    docsAsset: operation(readDocsAssetEndpoint, (_call, { asset }) => readDocsAsset(asset, operations())),
  }
}
