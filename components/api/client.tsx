'use client'

import {
  type InvalidateOptions,
  type InvalidateQueryFilters,
  MutationCache,
  QueryClient,
  QueryClientProvider,
  type QueryKey,
} from '@tanstack/react-query'
import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client'
import { createTRPCContext } from '@trpc/tanstack-react-query'
import { type ReactNode, useState } from 'react'
import { plainJson } from '@/server/base/contract/plain-json'
import { PORTAL_ENDPOINT } from '@/server/base/contract/request-headers'
import type { AppRouter } from '../../server/transport/trpc/router'
import { presenceHeaders } from './presence'
import { noteRefusedPress } from './session-end'
import { noteNetwork } from './use-retry'

export { followChanges } from './follow-changes'
export { noteUse, unusedFor, watchPresence } from './presence'
export { leaveByItself, setWayOut, signInAgain, wayOut } from './session-end'
export {
  confirmSignIn,
  type PasskeyAnswer,
  readPasskeyQuestion,
  readSignInLink,
  requestSignInLink,
  type SignInOutcome,
  signInAsDemo,
  signInByPasskey,
  signOut,
} from './sign-in-client'

/** The largest batch that the server accepts, in calls. */
const BATCH_MAX = 10
const URL_MAX_CHARS = 4_000
const FRESH_MILLISECONDS = 15_000

const { TRPCProvider, useTRPC, useTRPCClient: usePortalClient } = createTRPCContext<AppRouter>()

export { usePortalClient, useTRPC }

/** The portal's procedures, for code outside React. */
export type PortalClient = ReturnType<typeof usePortalClient>

export type PortalError = TRPCClientError<AppRouter>

/** Returns whether the server refused the call; `data` then has the reason in words and a request id. */
export function isPortalError(error: unknown): error is PortalError {
  return error instanceof TRPCClientError
}

/** Provides the portal's procedures and one query cache to the pages below it. */
export function PortalProvider({ children }: { readonly children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  const [trpcClient] = useState(createClient)
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  )
}

function createClient() {
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchLink({
        url: PORTAL_ENDPOINT,
        maxItems: BATCH_MAX,
        maxURLLength: URL_MAX_CHARS,
        headers: presenceHeaders,
        transformer: plainJson,
      }),
    ],
  })
}

/**
 * Drops an answer that was on its way when something changed, since it may be older than the change, and requests it
 * again. A query that runs only at the press of a button is not requested again, so its answer is kept.
 */
class FreshQueryClient extends QueryClient {
  override async invalidateQueries<K extends QueryKey>(
    filters?: InvalidateQueryFilters<K>,
    options?: InvalidateOptions,
  ): Promise<void> {
    await this.cancelQueries({ ...filters, predicate: (query) => !query.isDisabled() })
    return super.invalidateQueries(filters, options)
  }
}

function createQueryClient(): QueryClient {
  return new FreshQueryClient({
    mutationCache: new MutationCache({
      onMutate: (_variables, mutation) => noteNetwork(mutation),
      onError: (error) => {
        if (isPortalError(error) && error.data?.httpStatus === 401) noteRefusedPress()
      },
    }),
    defaultOptions: {
      // Without a network, a request fails and says so, rather than waiting.
      queries: { staleTime: FRESH_MILLISECONDS, retry: shouldRetry, networkMode: 'always' },
      // A decision about money is sent once, at the press of the button, and never later.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}

/** Returns whether to send the request again: a refusal would be repeated, but a broken connection may recover. */
function shouldRetry(failures: number, error: unknown): boolean {
  const status = isPortalError(error) ? (error.data?.httpStatus ?? 0) : 0
  return failures < 2 && (status === 0 || status === 502 || status === 504)
}
