"""Made-up evenings: from a seed, or from recorded shoes, sent to a dispatcher."""
