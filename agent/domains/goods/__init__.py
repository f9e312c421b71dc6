"""Lists of goods, prices and measures, as a domain: it is a vocabulary and nothing else."""
