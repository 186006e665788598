import { readMailedLink } from '../../../identity/contacts'
import { mailedLinkProcedure } from '../../../identity/contacts/contract'
import { useMailedLink } from '../../../surfaces/portal'
import { t } from '../init'
import { anonymousMutation } from '../procedures'

/**
 * Procedures for the holders of mailed links, signed in or not. Reading is a mutation too, to keep tokens out of URLs.
 */
export const linksRouter = t.router({
  read: anonymousMutation(mailedLinkProcedure, readMailedLink),
  confirm: anonymousMutation(mailedLinkProcedure, useMailedLink),
})
