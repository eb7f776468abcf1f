/** The public interface of the ledger: who has what under which revision. */
