import { type AnyOperation, operation } from '../../base/contract/endpoint'
import { Reply } from '../../base/contract/reply'
import type { Platform } from '../../base/core/platform'
import { readDocsAssetEndpoint, readDocsEndpoint, readLlmsEndpoint, readOpenApiEndpoint } from './contract'
import { buildDocument } from './document'
import { readDocs, readDocsAsset } from './read-docs'
import { readLlms } from './read-llms'

const descriptions = new WeakMap<Platform, ReturnType<typeof buildDocument>>()

/** Returns the operations that describe the API; `operations` returns all that are served. */
export function descriptionOperations(operations: () => readonly AnyOperation[]) {
  const openApi = operation(readOpenApiEndpoint, async ({ platform }) => {
    const document = descriptions.get(platform) ?? buildDocument(operations(), platform)
    descriptions.set(platform, document)
    return Reply.json(document, { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=60' })
  })
  return {
    openApi,
    llms: operation(readLlmsEndpoint, readLlms),
    docs: operation(readDocsEndpoint, readDocs),
    docsAsset: operation(readDocsAssetEndpoint, (_call, { asset }) => readDocsAsset(asset, operations())),
  }
}
