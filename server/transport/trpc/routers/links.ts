import { readMailedLink } from '../../../identity/contacts'
import { mailedLinkProcedure } from '../../../identity/contacts/contract'
import { useMailedLink } from '../../../surfaces/portal'
import { t } from '../init'
import { anonymousMutation } from '../procedures'

/** What mailed links do for their holders, signed in or not. Reading is a mutation too, so that no token stands in an address. */
export const linksRouter = t.router({
  read: anonymousMutation(mailedLinkProcedure, readMailedLink),
  confirm: anonymousMutation(mailedLinkProcedure, useMailedLink),
})
